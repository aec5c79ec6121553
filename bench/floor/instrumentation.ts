/** Otherwise Next.js uses the one in the parent folder. */
export function register() {}
