import { expect, it } from 'vitest'
import { DATABASE_CACHE, endData, watchSignedOut } from './signed-out.ts'

type Parts = NonNullable<Parameters<typeof endData>[0]>
type Tab = { parts: Parts; moves: string[]; show: (persisted: boolean) => void }

/** Tabs of one browser: a change of the storage is an event in all others. */
function openBrowser() {
  const stored = new Map<string, string>()
  const caches = new Set([DATABASE_CACHE, 'of something else'])
  const tabs: { tab: Tab; events: EventTarget }[] = []
  const openTab = (pathname = '/symbols/AAPL', search = ''): Tab => {
    const events = new EventTarget()
    const moves: string[] = []
    const tab: Tab = {
      moves,
      show: (persisted) =>
        void events.dispatchEvent(Object.assign(new Event('pageshow'), { persisted })),
      parts: {
        caches: () => ({ delete: async (name) => caches.delete(name) }),
        storage: () => ({
          getItem: (key) => stored.get(key) ?? null,
          setItem(key, value) {
            stored.set(key, value)
            for (const other of tabs) {
              if (other.tab === tab) continue
              other.events.dispatchEvent(Object.assign(new Event('storage'), { key }))
            }
          },
        }),
        events,
        location: {
          pathname,
          search,
          replace: (url) => void moves.push(String(url)),
          reload: () => void moves.push('reload'),
        },
        now: () => 1_800_000_000_000,
      },
    }
    tabs.push({ tab, events })
    return tab
  }
  return { caches, stored, openTab }
}

it('signing out deletes the kept database, and nothing of others', async () => {
  const browser = openBrowser()
  browser.stored.set('bellwether-stars', 'AAPL')
  await endData(browser.openTab().parts)
  expect([...browser.caches]).toEqual(['of something else'])
  expect(browser.stored.get('bellwether-stars')).toBe('AAPL')
})

it('other tabs leave to the page Sign in, and come back from there to where they were', async () => {
  const browser = openBrowser()
  const others = [browser.openTab('/sql', '?q=from+ratings'), browser.openTab('/')]
  for (const { parts } of others) watchSignedOut(parts)
  await endData(browser.openTab('/account').parts)
  expect(others.map(({ moves }) => moves)).toEqual([
    ['/sign-in?next=%2Fsql%3Fq%3Dfrom%2Bratings'],
    ['/sign-in'],
  ])
})

it('an answer that the session has ended makes each tab leave once, and deletes the data', async () => {
  const browser = openBrowser()
  const [first, other] = [browser.openTab('/users/7'), browser.openTab('/symbols')]
  const watch = watchSignedOut(first.parts)
  watchSignedOut(other.parts)
  watch.leave()
  watch.leave()
  expect(first.moves).toEqual(['/sign-in?next=%2Fusers%2F7&why=ended'])
  expect(other.moves).toEqual(['/sign-in?next=%2Fsymbols'])
  await expect.poll(() => [...browser.caches]).toEqual(['of something else'])
})

it('does not leave when an answer comes while its own sign-out is sent', async () => {
  const { parts, moves } = openBrowser().openTab('/account')
  const watch = watchSignedOut(parts)
  await endData(parts)
  watch.leave()
  expect(moves).toEqual([])
})

it('a page of the back/forward cache is loaded anew if the reader has signed out meanwhile', async () => {
  const browser = openBrowser()
  const tab = browser.openTab()
  const watch = watchSignedOut(tab.parts)
  tab.show(true)
  expect(tab.moves).toEqual([])
  watch.end()
  const frozen = browser.openTab()
  watchSignedOut(frozen.parts)
  browser.stored.set('bellwether-signed-out', '1')
  frozen.show(false)
  expect(frozen.moves).toEqual([])
  frozen.show(true)
  expect(frozen.moves).toEqual(['reload'])
})

it('a tab that no longer watches stays, and refused storage stops nothing', async () => {
  const browser = openBrowser()
  const left = browser.openTab()
  watchSignedOut(left.parts).end()
  const refuse = () => {
    throw new Error('refused')
  }
  const other = browser.openTab()
  await endData({ ...other.parts, storage: refuse })
  expect([...browser.caches]).toEqual(['of something else'])
  await endData({ ...other.parts, caches: refuse })
  expect(left.moves).toEqual([])
  watchSignedOut({ ...other.parts, storage: refuse }).leave()
  expect(other.moves).toEqual(['/sign-in?next=%2Fsymbols%2FAAPL&why=ended'])
})
