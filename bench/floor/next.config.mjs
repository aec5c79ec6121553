/** The framework alone, for measuring against. */
export default { poweredByHeader: false, agentRules: false, images: { unoptimized: true } }
