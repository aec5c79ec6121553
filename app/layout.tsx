import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { parseTheme, THEME_COOKIE } from '#components/shell/theme.ts'
import { EMBED_THEME } from '#lib/server/request-policy.ts'
import { fontClasses } from './fonts.ts'
import { Providers } from './providers.tsx'
import { readMarks } from './reader-marks.ts'
import './globals.css'

export const metadata: Metadata = {
  title: { default: 'Bellwether', template: '%s · Bellwether' },
  description: 'What a community thinks of a symbol, who thinks so, and how it changed.',
  robots: { index: false },
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
