import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv*/", "data/", "build/"] },
  js.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: { eqeqeq: "error", "no-var": "error", "prefer-const": "error", "max-len": ["error", { code: 120 }] },
  },
];
