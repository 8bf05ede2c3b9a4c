import nock from "nock";

// As soon as it is imported nock stands before every socket of its process, which test files share: there another file's
// request without an end hung for ever. So it is on between `fakeWire` and `endWire` alone, and imported nowhere else.
nock.restore();

/** Lets the test give the answers of hosts that are not there; what is asked without an answer fails. Ends with `endWire`. */
export function fakeWire(): typeof nock {
  if (!nock.isActive()) nock.activate();
  nock.disableNetConnect();
  return nock;
}

/** Ends it; returns the answers that nobody asked for. */
export function endWire(): readonly string[] {
  const left = nock.pendingMocks();
  nock.cleanAll();
  nock.enableNetConnect();
  nock.restore();
  return left;
}
