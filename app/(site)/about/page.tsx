import type { Metadata } from 'next'
import { AboutScreen } from '#components/about/about-screen.tsx'

export const metadata: Metadata = {
  title: 'About',
  description: 'What the ratings are, what the words mean, and where the data come from.',
}

export default function AboutPage() {
  return <AboutScreen />
}
