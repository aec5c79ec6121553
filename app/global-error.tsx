'use client'

import { Theme } from './theme.tsx'
import './globals.css'

export default function DashboardFailure({ retry }: { error: unknown; retry: () => void }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <title>Failure · Bellwether</title>
        <Theme>
          <main className="mx-auto flex max-w-[720px] flex-col items-start gap-4 px-4 py-10">
            <h1 className="text-xl">Bellwether could not be shown</h1>
            <p role="alert">
              Something went wrong on our side. The archive is untouched. If it happens again, the
              server’s log says why.
            </p>
            <button type="button" className="link" onClick={retry}>
              Try again
            </button>
          </main>
        </Theme>
      </body>
    </html>
  )
}
