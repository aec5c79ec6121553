import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import type { Metadata, Viewport } from 'next'
import { cookies } from 'next/headers'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { Header } from '#components/shell/header.tsx'
import { createQueryClient } from '#components/shell/query-client.ts'
import { SkipLink } from '#components/shell/skip-link.tsx'
import { parseTheme, THEME_COOKIE } from '#components/shell/theme.ts'
import { statusOptions } from '#lib/client/query-options.ts'
import { fetchInProcess } from '#lib/server/fetch-api.ts'
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
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value)
  const marks = await readMarks()
  const queryClient = createQueryClient()
  await queryClient.prefetchQuery(statusOptions(fetchInProcess))
  return (
    <html lang="en" data-theme={theme === 'system' ? undefined : theme} className={fontClasses}>
      <body className="flex min-h-dvh flex-col">
        <Providers marks={marks}>
          <HydrationBoundary state={dehydrate(queryClient)}>
            <SkipLink />
            <Header theme={theme} />
            <main id="main" tabIndex={-1} className="flex min-w-0 grow flex-col outline-none">
              {children}
            </main>
          </HydrationBoundary>
        </Providers>
      </body>
    </html>
  )
}
