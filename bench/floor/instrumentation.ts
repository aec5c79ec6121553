/** Nothing to start. Without this file the framework would take the one that lies further up. */
export function register() {}
