/**
 * What a browser keeps of its reader's looks, put on the root of the page before anything of it is drawn: `data-theme` where
 * one was chosen, `data-visited` where the line for newcomers was put away. So the page itself is the same for everybody.
 */
export const SHOW_LOOKS = `(() => {
const { cookie, documentElement: root } = document
const theme = /(?:^|; )theme=(light|dark)(?:;|$)/.exec(cookie)
if (theme) root.dataset.theme = theme[1]
if (/(?:^|; )visited=/.test(cookie)) root.dataset.visited = ''
})()`
