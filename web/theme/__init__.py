"""How every page looks, and what it drops: templates, styles, typefaces, the security policy."""
