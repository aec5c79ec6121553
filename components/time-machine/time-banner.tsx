'use client'

import dynamic from 'next/dynamic'
import { useAsof } from '#components/time/zone.tsx'

/** Drawn by the server too, so that nothing moves; who is not rewound loads none of it. */
const Rewound = dynamic(async () => (await import('./rewound-banner.tsx')).RewoundBanner)

/** Stands above every page that is rewound, and above no other. */
export const TimeBanner = () => (useAsof() === null ? null : <Rewound />)
