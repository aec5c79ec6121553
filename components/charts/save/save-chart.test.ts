import { expect, it } from 'vitest'
import { isNearHost, toChartFileName, toEmbedSnippet } from './save-chart.tsx'

it('a file is called after its chart', () => {
  expect(toChartFileName(['AAPL', '2024-01-01', '2024-08-02', 'week'], 'svg')).toBe(
    'bellwether_AAPL_2024-01-01_2024-08-02_week.svg',
  )
})

it('a name is short however much is compared, and says what is invented', () => {
  const days = ['2024-01-01', '2024-08-02', 'week']
  expect(toChartFileName([['AAPL', 'MSFT', 'NVDA', 'TSLA'], ...days], 'svg', true)).toBe(
    'bellwether_AAPL-MSFT-and-2-more_2024-08-02_week_demo.svg',
  )
  expect(toChartFileName(['AAPL', ...days], 'png', true)).toBe(
    'bellwether_AAPL_2024-01-01_2024-08-02_week_demo.png',
  )
})

it('a hostile symbol makes no hostile file name', () => {
  expect(toChartFileName(['../../etc/passwd', '<img src=x>'], 'csv')).toBe(
    'bellwether_etc-passwd_img-src-x.csv',
  )
  expect(toChartFileName([''], 'png')).toBe('bellwether_x.png')
})

const EMBED = {
  path: '/embed/symbols/BRK.B',
  params: new URLSearchParams({ from: '2024-01-01' }),
  height: 700,
}
const ORIGIN = 'https://ratings.example.org'

it('an embed is a frame with the address of the chart', () => {
  expect(toEmbedSnippet(EMBED, { title: 'BRK.B', origin: ORIGIN })).toBe(
    '<iframe src="https://ratings.example.org/embed/symbols/BRK.B?from=2024-01-01" title="BRK.B" width="100%" height="700" loading="lazy" style="border:0"></iframe>',
  )
})

it('a frame has the theme that was chosen for it; the reader’s own need not be said', () => {
  const options = { title: 'BRK.B', origin: ORIGIN }
  expect(toEmbedSnippet(EMBED, { ...options, theme: 'dark' })).toContain(
    '/embed/symbols/BRK.B?from=2024-01-01&amp;theme=dark"',
  )
  expect(toEmbedSnippet(EMBED, { ...options, theme: 'auto' })).not.toContain('theme')
})

it('no title gets out of its attribute', () => {
  const title = `"><script>alert('1')</script>&`
  expect(toEmbedSnippet(EMBED, { title, origin: ORIGIN })).toContain(
    'title="&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"',
  )
})

it('an address that cannot be reached from the internet is known as one', () => {
  for (const host of [
    'localhost',
    '127.0.0.1',
    '192.168.1.9',
    '10.0.0.2',
    '172.20.0.1',
    '[::1]',
    'nas',
    'nas.local',
  ]) {
    expect(isNearHost(host), host).toBe(true)
  }
  for (const host of ['ratings.example.com', '172.32.0.1', '8.8.8.8', '[2001:db8::1]']) {
    expect(isNearHost(host), host).toBe(false)
  }
})
