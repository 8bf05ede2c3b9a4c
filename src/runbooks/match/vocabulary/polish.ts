/** What people on call say in Polish; how a line is read stands in `../languages.ts`. */
export const polish = `
  disk-full  dysk ~ pelny, miejsca na dysku
  certificate-expired  certyfikat*
  clock-skew  zegar
`;
