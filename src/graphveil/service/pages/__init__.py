"""Pages for people: the operator's, which show and steer campaigns, and the one on which a person answers."""
