// Serves the signed links of emulated files.
export const downloadPath = '/downloads'
