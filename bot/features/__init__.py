"""What the bot can do: one file for each feature, with its screens, actions and commands; `routes` lists them."""
