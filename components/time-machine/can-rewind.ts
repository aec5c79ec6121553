const PRESENT = /^\/(downloads|status)(\/|$)/

/** Can the page at a path be rewound? The dumps and the sync are what they are now. */
export const canRewind = (path: string): boolean => !PRESENT.test(path)
