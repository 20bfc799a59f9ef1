"""What must outlive a restart."""
