/** Commands in the documentation that are not run, and why. Each pattern is matched against the whole command. */
export const notRun: readonly (readonly [command: RegExp, reason: string])[] = [
  [/^npm install && npm (run demo|test)$/, "is what continuous integration itself does, and the demo has a test"],
  [/^npm install$/, "has run before any test can"],
  [/^npm install \.\/terraform-provider-proxmox-\S+\.tgz$/, "is done by the test of the package, without the network"],
  [/^npm test$/, "would run itself"],
  [/^npm run (check|lint|format|types|dead|stale|generate)$/, "is part of the test command"],
  [/^npm run (bench|fuzz|chaos|soak|acceptance)\S*( .*)?$/, "takes minutes; a sample of each is among the tests"],
  [/^npm run (package|install:local|cdktf|demo|setup:tofu|build:npm|create-provider)( .*)?$/, "has a test of its own"],
  [/^npm run -?s? ?simulate.*|^terraform-provider-proxmox simulate.*/, "does not end; the cluster here is one"],
  [/^export PROXMOX_VE_(ENDPOINT|API_TOKEN|CA_CERTIFICATE|USERNAME|PASSWORD|TLS_FINGERPRINT)=.*/, "names your host"],
  [/^terraform-provider-proxmox sweep .*/, "names the pool of your tests; has a test of its own"],
  [/^(ssh|scp) .*/, "needs your host"],
];
