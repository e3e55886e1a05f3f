"""What every paper needs: estimates with their intervals, checks, and one judge."""
