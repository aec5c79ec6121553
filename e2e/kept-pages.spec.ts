import { expect, test } from './support/test.ts'

const COMPACT = `other=1; table=${encodeURIComponent('{"version":1,"density":"compact"}')}; visited=1`

test("a page that is kept for one reader is no other reader's", async ({ request }) => {
  for (const isCompact of [false, true, true, false, true]) {
    const headers = { cookie: isCompact ? COMPACT : '' }
    const text = await (await request.get('/', { headers })).text()
    expect(/class="[^"]*data-table compact/.test(text)).toBe(isCompact)
    expect(text).toMatch(/<h1[^>]*>20,000 ratings/)
    expect(text).not.toMatch(/nonce="[^"]/)
  }
})

test('a page is the same for whoever knows the theme or has been here before', async ({
  request,
}) => {
  const read = async (cookie: string) =>
    (await request.get('/users', { headers: { cookie } })).text()
  // The cached page may expire in between.
  await expect(async () => {
    const plain = await read('')
    expect(await read('theme=dark; visited=1')).toBe(plain)
    expect(plain).not.toContain('data-theme="dark"')
  }).toPass({ intervals: [0], timeout: 10_000 })
})

test('the first frame has the theme of the reader, from the cookie of earlier releases too, and no line for newcomers', async ({
  page,
  context,
}) => {
  const url = 'http://127.0.0.1'
  await context.addCookies([
    { name: 'theme', value: 'dark', url },
    { name: 'visited', value: '1', url },
  ])
  await page.addInitScript(() => {
    const noted: string[] = []
    Object.assign(window, { noted })
    const noteFrame = () => {
      const { theme = 'none', visited = 'none' } = document.documentElement.dataset
      if (document.querySelector('header')) noted.push(`${theme} ${visited}`)
      requestAnimationFrame(noteFrame)
    }
    requestAnimationFrame(noteFrame)
  })
  for (const path of ['/users', '/symbols']) {
    await page.goto(path)
    await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'For newcomers' })).toBeHidden()
    const noted = await page.evaluate(() => (window as unknown as { noted: string[] }).noted)
    expect(new Set(noted)).toEqual(new Set(['dark ']))
  }
  expect((await context.cookies()).map(({ name }) => name)).not.toContain('theme')
})

test.describe('a missing page', () => {
  test.use({ allowConsole: ['404'] })

  test('has the theme of the reader too', async ({ page, context, baseURL }) => {
    await context.addCookies([{ name: 'theme', value: 'dark', url: baseURL ?? '' }])
    for (const path of ['/no-such-page', '/symbols/NOSUCH']) {
      await page.goto(path)
      await expect(page.getByRole('button', { name: 'Theme: dark' })).toBeVisible()
      await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
    }
  })
})
