import { toKeptName } from '#lib/contract/base-path.ts'

/** What the first frame knows of the reader. */
export const APPEARANCE_COOKIES = {
  theme: toKeptName('theme'),
  visited: toKeptName('visited'),
}

type Root = { cookie: string; documentElement: { dataset: DOMStringMap } }

/** Uses nothing of this module: its text is a script. */
export function applyAppearance(
  { cookie, documentElement: { dataset } }: Root,
  names: typeof APPEARANCE_COOKIES,
): void {
  const held = `; ${cookie};`
  for (const theme of ['light', 'dark'])
    if (held.includes(`; ${names.theme}=${theme};`)) dataset.theme ??= theme
  if (held.includes(`; ${names.visited}=`)) dataset.visited = ''
}

/** Runs before first paint, so that the HTML is the same for every reader. */
export const toAppearanceScript = (): string =>
  `(${applyAppearance})(document,${JSON.stringify(APPEARANCE_COOKIES)})`
