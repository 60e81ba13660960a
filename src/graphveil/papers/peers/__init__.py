"""Methods of other papers that ours are compared with."""
