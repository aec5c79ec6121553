import { type buildConnector, EnvHttpProxyAgent } from 'undici'

/** As in `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY`; empty is none. */
export type Proxies = { httpProxy: string; httpsProxy: string; noProxy: string }

export const NO_PROXIES: Proxies = { httpProxy: '', httpsProxy: '', noProxy: '' }

type ProxiedAgentOptions = Omit<EnvHttpProxyAgent.Options, 'requestTls' | 'proxyTls'> & {
  proxies: Proxies
  /** For connections to a proxy and through it; `connect` makes the direct ones. */
  tlsOptions: buildConnector.BuildOptions
}

/** Plain http is requested from the proxy, https is tunneled. Never reads the environment. */
export const createProxiedAgent = ({ proxies, tlsOptions, ...options }: ProxiedAgentOptions) =>
  new EnvHttpProxyAgent({
    proxyTunnel: false,
    ...options,
    ...proxies,
    requestTls: tlsOptions,
    proxyTls: tlsOptions,
  })

/** The library has no code for these. */
const REFUSALS = /^Proxy (?:response \(|Authentication Required)/

export const isProxyRefusal = (error: unknown): boolean =>
  error instanceof Error && REFUSALS.test(error.message)
