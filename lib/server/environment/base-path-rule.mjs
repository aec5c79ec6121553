/* Plain JavaScript: the framework's configuration and scripts import it before compilation. */

const PLAIN = /^(?:\/[a-z0-9_~-][a-z0-9._~-]*)+$/

/** Prefixes of the framework and the API would be ambiguous. */
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
    return 'is not a path such as /ratings: a slash before each part, none at the end, small letters, digits and . _ ~ - in them'
  }
  return CONFUSING.test(path) ? 'begins with /_next, /api or /service, which stand below it' : null
}

/**
 * One build folder per base path, so that a process can serve one build while another is made.
 * @param {string} path
 * @returns {string}
 */
export const toBuildFolder = (path) => `.next${path.replaceAll('/', '-')}`
