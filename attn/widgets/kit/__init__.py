"""What figures share: their base class, traits with their rules, and the parts of a drawing."""
