import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every address of the API, read off the files that answer: `app/api/symbols/[symbol]/route.ts` is
 * `/api/symbols/{symbol}`. Catch-alls are left out: they are no address of their own. Sorted. JavaScript, because the
 * framework's configuration reads it before anything is compiled.
 *
 * @param {string} root the folder that holds `app` and `pages`
 * @returns {string[]}
 */
export const listApiRoutes = (root) =>
  [
    ...listFiles(join(root, 'app/api')).flatMap((file) =>
      file.endsWith('/route.ts') ? [file.slice(0, -'/route.ts'.length)] : [],
    ),
    ...listFiles(join(root, 'pages/api')).map((file) => file.slice(0, -'.ts'.length)),
  ]
    .filter((path) => !path.includes('[...'))
    .map((path) => `/api${path.replace(/\[(\w+)\]/g, '{$1}')}`)
    .sort()

/** @type {(folder: string) => string[]} */
const listFiles = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length)] : [],
  )
