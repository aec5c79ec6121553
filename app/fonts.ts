import { GeistSans } from 'geist/font/sans'
import localFont from 'next/font/local'

// The package's own mono font is preloaded on every page.
const mono = localFont({
  src: '../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  preload: false,
  adjustFontFallback: false,
})

export const fontClasses = `${GeistSans.variable} ${mono.variable}`
