import { STRIP_COOKIE } from '#components/ratings/strip-cookie.ts'
import { THEME_COOKIE } from '#components/ui/theme.ts'
import { FIRST_VISIT_COOKIE } from './first-visit.ts'

const toPattern = (name: string) => name.replace(/[.+]/g, '\\$&')

/**
 * What a browser keeps of its reader's looks, put on the root of the page before anything of it is drawn: `data-theme` where
 * one was chosen, `data-visited` and `data-moved-away` where the line for newcomers or that of what moved was put away.
 * So the page itself is the same for everybody.
 */
export const SHOW_LOOKS = `(() => {
const { cookie, documentElement: root } = document
const theme = /(?:^|; )${toPattern(THEME_COOKIE)}=(light|dark)(?:;|$)/.exec(cookie)
if (theme) root.dataset.theme = theme[1]
if (/(?:^|; )${toPattern(FIRST_VISIT_COOKIE)}=/.test(cookie)) root.dataset.visited = ''
if (/(?:^|; )${toPattern(STRIP_COOKIE)}=/.test(cookie)) root.dataset.movedAway = ''
})()`
