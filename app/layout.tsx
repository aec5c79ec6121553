import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { toAppearanceScript } from '#components/ui/appearance.ts'
import { parseTheme, type Theme } from '#components/ui/theme.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { pathOf, selectContext } from '#lib/server/gate/request-context.ts'
import { isEmbedPath } from '#lib/server/gate/request-policy.ts'
import { fontClasses } from './fonts.ts'
import { DESCRIPTION, readPublicAddress, toOpenGraph } from './page-metadata.ts'
import { Providers } from './providers.tsx'
import './globals.css'
import './print.css'

export async function generateMetadata(): Promise<Metadata> {
  const { origin, path, isIndexed } = readPublicAddress()
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
  await connection()
  const embedTheme = readEmbedTheme()
  return (
    <html
      lang="en"
      data-theme={embedTheme === 'system' ? undefined : (embedTheme ?? undefined)}
      className={fontClasses}
      // The script below runs before hydration.
      suppressHydrationWarning
    >
      <head>
        {embedTheme === null && (
          <script
            // A classic script would wait for the style sheets, and the rest of the page for it.
            type="module"
            async
            blocking="render"
            // biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours
            dangerouslySetInnerHTML={{ __html: toAppearanceScript() }}
          />
        )}
      </head>
      <body className="flex min-h-dvh flex-col">
        <Providers isEmbed={embedTheme !== null}>{children}</Providers>
      </body>
    </html>
  )
}

/** Layouts do not get the query. Null: the reader's own theme, which the script applies. */
function readEmbedTheme(): Theme | null {
  const context = selectContext()
  if (!context || !isEmbedPath(pathOf(context))) return null
  return parseTheme(new URL(context.url, context.origin).searchParams.get('theme'))
}
