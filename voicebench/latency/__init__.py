"""The clock alone: when an agent's moments come, how sure that is, and which parts they are made of."""
