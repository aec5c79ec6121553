/*
 * What BASE_PATH may say. JavaScript, because the framework's configuration and the scripts read it before anything is
 * compiled.
 */

const PLAIN = /^(?:\/[a-z0-9_~-][a-z0-9._~-]*)+$/

/** Where the framework and the API stand below it: who looks at an address would take the one for the other. */
const CONFUSING = /^\/(?:_next|api|service)(?:\/|$)/

/**
 * The path that an environment asks for: `/ratings`; nothing where it asks for none.
 *
 * @param {Readonly<Record<string, string | undefined>>} env
 * @returns {string}
 */
export const readBasePath = (env) => (env.BASE_PATH ?? '').trim()

/**
 * What is wrong with a path, as the rest of a sentence; null where nothing is.
 *
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
 * The folder of the build for this path: each has its own, so that a process goes on serving from one while another is made.
 *
 * @param {string} path
 * @returns {string}
 */
export const toBuildFolder = (path) => `.next${path.replaceAll('/', '-')}`
