import { toKeptName, withBase } from '#lib/contract/base-path.ts'

export const THEMES = ['system', 'light', 'dark'] as const
export const THEME_KEY = toKeptName('bellwether.theme')
export const VISITED_COOKIE = toKeptName('visited')

const NAMES = {
  key: THEME_KEY,
  theme: toKeptName('theme'),
  visited: VISITED_COOKIE,
  path: withBase('/'),
}

/**
 * Uses nothing of this module: its text is a script. Earlier releases stored the theme in a cookie:
 * it moves to the storage of `next-themes`.
 */
function prepare({ key, theme, visited, path }: typeof NAMES): void {
  const cookies = `; ${document.cookie};`
  if (cookies.includes(`; ${visited}=`)) document.documentElement.dataset.visited = ''
  const chosen = ['light', 'dark'].find((name) => cookies.includes(`; ${theme}=${name};`))
  if (chosen === undefined) return
  try {
    if (localStorage.getItem(key) === null) localStorage.setItem(key, chosen)
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs HTTPS
    document.cookie = `${theme}=; path=${path}; max-age=0`
  } catch {}
}

export const prepareFirstFrame = (): void => prepare(NAMES)

/** Runs before the first frame, so that the HTML is the same for every reader. */
export const FIRST_FRAME_SCRIPT = `(${prepare})(${JSON.stringify(NAMES)})`
