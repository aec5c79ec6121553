'use client'

import { useEffect, useState } from 'react'

/** What only works once the page stands, loaded then. Where it cannot be, what is there can be read still. */
export function useLater<T>(load: () => Promise<T>): T | undefined {
  const [loaded, setLoaded] = useState<T>()
  useEffect(() => {
    load().then(
      (value) => setLoaded(() => value),
      () => undefined,
    )
  }, [load])
  return loaded
}
