/** What people on call say in Korean; how a line is read stands in `../languages.ts`. */
export const korean = `
  disk-full  디스크*, 용량*
  memory-killed  메모리*
  certificate-expired  인증서*
`;
