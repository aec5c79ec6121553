import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { parseTheme, THEME_COOKIE } from '#components/ui/theme.ts'
import { EMBED_THEME } from '#lib/server/request-policy.ts'
import { fontClasses } from './fonts.ts'
import { Providers } from './providers.tsx'
import { readMarks } from './reader-marks.ts'
import './globals.css'

const DESCRIPTION = 'What a community thinks of a symbol, who thinks so, and how it changed.'

/** The icons and the manifest are files of `public`. A link preview wants an absolute address: the one that was asked. */
export async function generateMetadata(): Promise<Metadata> {
  const given = await headers()
  const scheme = given.get('x-forwarded-proto')?.split(',')[0] === 'https' ? 'https' : 'http'
  const origin = `${scheme}://${given.get('host')}`
  return {
    metadataBase: new URL(URL.canParse(origin) ? origin : 'http://localhost'),
    title: { default: 'Bellwether', template: '%s · Bellwether' },
    description: DESCRIPTION,
    robots: { index: false },
    manifest: '/manifest.webmanifest',
    icons: {
      icon: [
        { url: '/favicon.ico', sizes: '32x32' },
        { url: '/icon.svg', type: 'image/svg+xml' },
      ],
      apple: '/apple-touch-icon.png',
    },
    openGraph: {
      type: 'website',
      siteName: 'Bellwether',
      description: DESCRIPTION,
      images: [{ url: '/link-preview.png', width: 1200, height: 630, alt: 'Bellwether' }],
    },
  }
}

export const viewport: Viewport = {
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#ffffff' },
    { media: '(prefers-color-scheme: dark)', color: '#15181c' },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  // Rendered for each request, never at build: the nonce of the scripts and the data are the request's own.
  await connection()
  const theme = await readTheme()
  const marks = await readMarks()
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} className={fontClasses}>
      <body className="flex min-h-dvh flex-col">
        <Providers marks={marks}>{children}</Providers>
      </body>
    </html>
  )
}

/** An embed's theme stands in its address; everywhere else it is the reader's own. */
const readTheme = async () =>
  parseTheme((await headers()).get(EMBED_THEME) ?? (await cookies()).get(THEME_COOKIE)?.value)
