export default { poweredByHeader: false, agentRules: false, images: { unoptimized: true } }
