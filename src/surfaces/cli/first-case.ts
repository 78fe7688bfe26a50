/**
 * The first case that `parley init` writes: small, and worth running.
 *
 * Every seat alone prefers the disk, because each knows only one of the three costs; what they know together speaks for the bucket.
 */

const caseText = `# A first case. Run it: parley debate case.yml
title: Where uploads live
question: Where should the service keep the files its users upload?
options: [local disk, object storage]
protocol: debate
panel:
  seats:
    - { id: ops, role: operations, occupant: "evidence:dossiers/ops.yml" }
    - { id: finance, role: cost, occupant: "evidence:dossiers/finance.yml" }
    - { id: product, role: users, occupant: "evidence:dossiers/product.yml" }
seed: first
best: object storage
`;

const shared = `  - ref: simple
    text: The local disk needs no new service, and the code for it is written already.
    supports: local disk
    strength: 3
    criterion: effort
`;

const dossier = (about: string, item: string): string => `about: ${about}
items:
${shared}${item}`;

const ops = `  - ref: second-server
    text: From March the service runs on two servers, and a file on the disk of one cannot be read from the other.
    supports: object storage
    strength: 2
    criterion: growth
`;

const finance = `  - ref: disk-price
    text: Growing the servers' disks costs three times as much per gigabyte as the bucket that is already paid for.
    supports: object storage
    strength: 2
    criterion: cost
`;

const product = `  - ref: lost-upload
    text: In May a failed disk lost forty uploads, and two customers left over it.
    supports: object storage
    strength: 2
    criterion: safety
`;

/** The files of the first case, by path. */
export const firstCase: ReadonlyMap<string, string> = new Map([
  ["case.yml", caseText],
  ["dossiers/ops.yml", dossier("What operations knows.", ops)],
  ["dossiers/finance.yml", dossier("What finance knows.", finance)],
  ["dossiers/product.yml", dossier("What the product team hears.", product)],
]);
