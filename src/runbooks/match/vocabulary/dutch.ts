/** What people on call say in Dutch; how a line is read stands in `../languages.ts`. */
export const dutch = `
  disk-full  schijf ~ vol*
  certificate-expired  certificaat
  clock-skew  klok ~ loopt
  backup-failed  backup ~ mislukt
  secrets-sealed  verzegeld
`;
