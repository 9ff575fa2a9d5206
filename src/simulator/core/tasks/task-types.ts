/** Types of the tasks that the simulated nodes run; faults can be ordered for these. */
export const taskTypes: readonly string[] = [
  ...["qmclone", "qmconfig", "qmcreate", "qmdelsnapshot", "qmdestroy", "qmigrate", "qmmove", "qmpause", "qmreboot"],
  ...["qmreset", "qmrestore", "qmresume", "qmrollback", "qmshutdown", "qmsnapshot", "qmstart", "qmstop", "qmsuspend"],
  ...["qmtemplate", "resize", "spiceproxy", "spiceshell", "vncproxy", "vncshell", "move_volume"],
  ...["vzclone", "vzcreate", "vzdelsnapshot", "vzdestroy", "vzmigrate", "vzreboot", "vzrestore", "vzresume"],
  ...["vzrollback", "vzshutdown", "vzsnapshot", "vzstart", "vzstop", "vzsuspend", "vztemplate"],
  ...["vzdump", "prunebackups", "imgcopy", "imgdel", "download", "pull_file", "ociregistrypull"],
  ...["migrateall", "startall", "stopall", "suspendall", "bulkstart", "bulkshutdown", "bulksuspend", "bulkmigrate"],
  ...["hamigrate", "harelocate", "hastart", "hastop", "hashutdown", "replicate"],
  ...["reloadnetworkall", "srvreload", "srvrestart", "srvstart", "srvstop", "aptupdate"],
  ...["diskinit", "wipedisk", "dircreate", "dirremove", "lvmcreate", "lvmremove", "lvmthincreate", "lvmthinremove"],
  ...["zfscreate", "zfsremove", "cephcreatepool", "cephdestroypool", "cephsetflags", "cephsetpool"],
  ...["acmedeactivate", "acmenewcert", "acmeregister", "acmerevoke", "acmeupdate", "auth-realm-sync"],
  ...["clustercreate", "clusterjoin"],
];
