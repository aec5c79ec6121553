import './globals.css'
import './print.css'
import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { FIRST_FRAME_SCRIPT } from '#components/shell/first-frame.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { pathOf, selectContext } from '#lib/server/gate/request-context.ts'
import { isEmbedPath } from '#lib/server/gate/request-policy.ts'
import { fontClasses } from './fonts.ts'
import { DESCRIPTION, readPublicAddress, toOpenGraph } from './page-metadata.ts'
import { Providers } from './providers.tsx'

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
  return (
    <html
      lang="en"
      className={fontClasses}
      // Scripts change its attributes before hydration.
      suppressHydrationWarning
    >
      <head>
        <script
          // biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of ours
          dangerouslySetInnerHTML={{ __html: FIRST_FRAME_SCRIPT }}
        />
      </head>
      <body className="flex min-h-dvh flex-col">
        <Providers theme={readEmbedTheme()}>{children}</Providers>
      </body>
    </html>
  )
}

/** Layouts do not get the query. Undefined: the theme that the reader chose. */
function readEmbedTheme(): string | undefined {
  const context = selectContext()
  if (!context || !isEmbedPath(pathOf(context))) return undefined
  const theme = new URL(context.url, context.origin).searchParams.get('theme')
  return ['light', 'dark'].find((name) => name === theme) ?? 'system'
}
