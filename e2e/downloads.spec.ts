import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, expectNoAxeViolations, expectNoOverflow, test } from './support/test.ts'

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

for (const kind of ['posts', 'lookups'] as const) {
  test(`the ${kind} dump can be continued, and is never spliced from two editions`, {
    tag: '@core',
  }, async ({ request }) => {
    const path = `/api/v1/${kind}/dumps`
    const whole = await request.get(path)
    const etag = whole.headers().etag ?? ''
    const bytes = await whole.body()
    expect(etag).toBe(`"${sha256(bytes)}"`)
    expect(whole.headers()).toMatchObject({
      'content-length': String(bytes.byteLength),
      'accept-ranges': 'bytes',
      'content-type': 'text/csv; charset=utf-8',
    })
    const rest = await request.get(path, { headers: { range: 'bytes=100-', 'if-range': etag } })
    expect(rest.status()).toBe(206)
    expect((await rest.body()).equals(bytes.subarray(100))).toBe(true)
    const other = await request.get(path, {
      headers: { range: 'bytes=100-', 'if-range': '"other"' },
    })
    expect(other.status()).toBe(200)
    expect((await other.body()).byteLength).toBe(bytes.byteLength)
    const beyond = await request.get(path, { headers: { range: `bytes=${bytes.byteLength}-` } })
    expect(beyond.status()).toBe(416)
    const same = await request.get(path, { headers: { 'if-none-match': etag } })
    expect(same.status()).toBe(304)
    const head = await request.head(path)
    expect(head.headers()['content-length']).toBe(String(bytes.byteLength))
  })
}

test('a dump that is asked for in a wrong way says why', async ({ request }) => {
  const posted = await request.post('/api/v1/posts/dumps')
  expect(posted.status()).toBe(405)
  expect(posted.headers().allow).toBe('GET, HEAD')
  const odd = await request.get('/api/v1/posts/dumps?page=1')
  expect(odd.status()).toBe(400)
  expect((await odd.json()).error.issues[0].parameter).toBe('page')
})

test('the page shows what the dumps hold and when they come again, and each arrives whole, byte for byte', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/downloads')
  await expect(page.getByText(/00:00 ET/).first()).toBeVisible()
  await expect(page.getByText(/SHA-256/).first()).toBeVisible()
  await expect(page.getByText('room_id').first()).toBeVisible()
  const { data } = await (await page.request.get('/api/dumps')).json()
  for (const kind of ['posts', 'lookups']) {
    const name = new RegExp(`^Download ${kind} dump`)
    const link = page.getByRole('link', { name }).or(page.getByRole('button', { name }))
    const [download] = await Promise.all([page.waitForEvent('download'), link.first().click()])
    expect(download.suggestedFilename()).toBe(`${kind}-${data[kind].edition.edition}.csv`)
    const bytes = readFileSync(await download.path())
    expect(bytes.byteLength).toBe(data[kind].edition.bytes)
    expect(sha256(bytes)).toBe(data[kind].edition.sha256)
  }
})

test('a dump opens in each tool by lines that are chosen and copied by keyboard', async ({
  page,
}) => {
  await page.goto('/downloads')
  const { origin } = new URL(page.url())
  const card = page.getByRole('region', { name: 'Posts dump' })
  await card.getByRole('radio', { name: 'Open in' }).check()
  const lines = card.getByRole('code').last()
  await expect(lines).toContainText(`FROM read_csv('${origin}/api/v1/posts/dumps', types = {`)
  await expect(lines).toContainText("'prediction': 'VARCHAR'")
  await card.getByRole('radio', { name: 'DuckDB' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(lines).toContainText('pandas.read_csv(')
  await card.getByRole('radio', { name: 'curl', exact: true }).check()
  await expect(lines).toHaveText(
    /^curl -fC - -o posts-\d{4}-\d{2}-\d{2}\.csv "http:[^"]+\/api\/v1\/posts\/dumps"$/,
  )
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
  await expectNoAxeViolations(page)
})
