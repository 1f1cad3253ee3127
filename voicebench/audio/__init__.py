"""From text tasks to clips: audio files, spoken forms, speakers, effects, the build."""
