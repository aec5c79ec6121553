import { BASE_PATH, withBase } from '#lib/contract/base-path.ts'

export const dynamic = 'force-static'

const icon = (path: string, type: string, sizes: string) => ({ src: withBase(path), sizes, type })
const SVG = 'image/svg+xml'

const MANIFEST = {
  name: 'Bellwether',
  short_name: 'Bellwether',
  description: 'What a community thinks of each symbol, and how that changes.',
  start_url: withBase('/'),
  // The default scope is the parent folder of BASE_PATH.
  ...(BASE_PATH !== '' && { scope: BASE_PATH }),
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#15181c',
  icons: [
    icon('/icon.svg', SVG, 'any'),
    { ...icon('/icon-maskable.svg', SVG, 'any'), purpose: 'maskable' },
    icon('/apple-touch-icon.png', 'image/png', '180x180'),
  ],
}

export const GET = () =>
  new Response(`${JSON.stringify(MANIFEST, null, 2)}\n`, {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=0' },
  })
