"""What moderators and rules declare: game.yaml and home.yaml, schedules, rules and templates."""
