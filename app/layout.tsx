import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { toAppearanceScript } from '#components/ui/appearance.ts'
import { NOTE_EARLY_CLICKS } from '#components/ui/early-clicks.ts'
import { parseTheme } from '#components/ui/theme.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { EMBED_THEME, readPublicAddress } from '#lib/server/gate/request-policy.ts'
import { fontClasses } from './fonts.ts'
import { DESCRIPTION, toOpenGraph } from './page-metadata.ts'
import { Providers } from './providers.tsx'
import './globals.css'
import './print.css'

export async function generateMetadata(): Promise<Metadata> {
  const { origin, path, isIndexed } = readPublicAddress(await headers())
  return {
    metadataBase: origin,
    title: { default: 'Bellwether', template: '%s · Bellwether' },
    description: DESCRIPTION,
    ...(isIndexed ? { alternates: { canonical: path } } : { robots: { index: false } }),
    manifest: withBase('/manifest.webmanifest'),
    icons: {
      icon: [
        { url: withBase('/favicon.ico'), sizes: '32x32' },
        { url: withBase('/icon.svg'), type: 'image/svg+xml' },
      ],
      apple: withBase('/apple-touch-icon.png'),
    },
    openGraph: toOpenGraph(path),
    twitter: { card: 'summary_large_image' },
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#15181c' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The nonce and the data belong to one request.
  await connection()
  const given = await headers()
  // The page does not know the reader's own theme.
  const named = given.get(EMBED_THEME)
  const theme = parseTheme(named)
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      className={fontClasses}
      // The script below runs before hydration.
      suppressHydrationWarning
    >
      <head>
        <script
          // A classic script would wait for the style sheets, and the rest of the page for it.
          type="module"
          async
          blocking="render"
          nonce={given.get('x-nonce') ?? undefined}
          // Browsers hide the nonce from scripts.
          suppressHydrationWarning
          // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours
          dangerouslySetInnerHTML={{
            __html:
              named === null ? `${toAppearanceScript()};${NOTE_EARLY_CLICKS}` : NOTE_EARLY_CLICKS,
          }}
        />
      </head>
      <body className="flex min-h-dvh flex-col">
        <Providers>{children}</Providers>
      </body>
    </html>
  )
}
