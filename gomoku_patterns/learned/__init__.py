"""The line codes that come with the project: a TOML file and its weights each."""
