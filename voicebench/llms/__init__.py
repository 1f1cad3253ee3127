"""Language models and sentence encoders: one file each."""
