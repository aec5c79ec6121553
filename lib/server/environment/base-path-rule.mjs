/* JavaScript, because it is imported before compilation. */

const PLAIN = /^(?:\/[a-z0-9_~-][a-z0-9._~-]*)+$/

const CONFUSING = /^\/(?:_next|api|service)(?:\/|$)/

/**
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export const readBasePath = (env) => (env.BASE_PATH ?? '').trim()

/**
 * Returns the end of a sentence, or null.
 * @param {string} path
 * @returns {string | null}
 */
export function selectBasePathProblem(path) {
  if (path === '') return null
  if (!PLAIN.test(path)) {
    return 'is not a path such as /ratings: a slash before each part and none at the end; lower-case letters, digits and . _ ~ -'
  }
  return CONFUSING.test(path) ? 'begins with /_next, /api or /service, which are reserved' : null
}

/**
 * @param {string} path
 * @returns {string}
 */
export const toBuildFolder = (path) => `.next${path.replaceAll('/', '-')}`
