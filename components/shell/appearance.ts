import { STRIP_COOKIE } from '#components/ratings/strip-cookie.ts'
import { THEME_COOKIE } from '#components/ui/theme.ts'
import { FIRST_VISIT_COOKIE } from './first-visit.ts'

const toPattern = (name: string) => name.replace(/[.+]/g, '\\$&')

/** Runs before first paint, so that the HTML is the same for every reader. */
export const APPLY_APPEARANCE = `(() => {
const { cookie, documentElement: root } = document
const theme = /(?:^|; )${toPattern(THEME_COOKIE)}=(light|dark)(?:;|$)/.exec(cookie)
if (theme) root.dataset.theme = theme[1]
if (/(?:^|; )${toPattern(FIRST_VISIT_COOKIE)}=/.test(cookie)) root.dataset.visited = ''
if (/(?:^|; )${toPattern(STRIP_COOKIE)}=/.test(cookie)) root.dataset.movedAway = ''
})()`
