const NEAR =
  /^(?:localhost|.*\.(?:localhost|local|lan|internal|home)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cde].*)$/i

export const isNearHost = (host: string): boolean => NEAR.test(host) || !/[.:]/.test(host)
