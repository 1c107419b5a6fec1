// Where signed links of emulated files lead to.
export const downloadPath = '/downloads'
